/** Far beyond what iSCSI allows; matching takes time that grows with the square of the length. */
const MAX_LENGTH = 4096;
const IQN = /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui.[a-zA-Z0-9]{16}$/;
const NAA = /^naa.[a-zA-Z0-9]{32}$/;

/** True for the name of an iSCSI target or initiator, in any of its three forms. */
export function isIscsiName(name: string): boolean {
  if (name.length > MAX_LENGTH) return false;
  if (name.startsWith('iqn')) return IQN.test(name);
  if (name.startsWith('eui')) return EUI.test(name);
  return name.startsWith('naa') && NAA.test(name);
}
