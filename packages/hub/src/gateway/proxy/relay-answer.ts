import type { IncomingMessage } from 'node:http';
import type { MountedExchange, StreamBody } from '@flotilla/apiserver';

/**
 * The body as it comes, no faster than the client reads it. When the client goes, so does the member's connection; when
 * the member breaks off, the client's is broken off, because an end would look like the end.
 */
export function relayed(
  answer: IncomingMessage,
  { request, stopping }: MountedExchange,
): StreamBody {
  return {
    start: (sink) => {
      const end = (): void => {
        answer.destroy();
        sink.end();
      };
      answer.on('data', (chunk: Buffer) => {
        if (sink.write(chunk)) return;
        answer.pause();
        sink.onDrain(() => answer.resume());
      });
      answer.once('end', () => sink.end());
      answer.once('error', () => {});
      answer.once('close', () => {
        stopping.removeEventListener('abort', end);
        if (!answer.readableEnded && !stopping.aborted) sink.destroy();
      });
      sink.onClose(() => answer.destroy());
      if (!isEndless(request.query)) return;
      stopping.addEventListener('abort', end, { once: true });
      if (stopping.aborted) end();
    },
  };
}

/** Watches and logs that are followed go on until somebody ends them; everything else has an end of its own. */
function isEndless(query: URLSearchParams): boolean {
  return ['watch', 'follow'].some((name) => {
    const value = query.get(name);
    return value !== null && value !== '0' && value.toLowerCase() !== 'false';
  });
}
