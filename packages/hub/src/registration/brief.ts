/** No condition says more: messages are for people, and are stored with every registration. */
const LONGEST = 1024;

/** Cuts a message that names things of which there may be many, or that somebody else worded. */
export function brief(message: string): string {
  return message.length > LONGEST ? `${message.slice(0, LONGEST - 1)}…` : message;
}
