// `members.ts COUNT`: that many members in one process, each an API server with its own data, key, port and certificate
// authority. Prints one JSON line for each, then waits for the end of its input.
import { once } from 'node:events';
import { startServer } from '@flotilla/testkit';

/** One member, as its line tells it. */
export interface MemberLine {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

/** Starting costs processor time alone; more at once only makes each slower. */
const AT_ONCE = 4;

const count = Number(process.argv[2]);
const servers: Awaited<ReturnType<typeof startServer>>[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < count) {
      next += 1;
      const server = await startServer({ doesManagersWork: false });
      servers.push(server);
      const { authorization = '' } = await server.access.credential.present();
      const line: MemberLine = {
        server: server.url,
        ca: server.access.tls.ca ?? '',
        token: authorization.replace('Bearer ', ''),
      };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
  }),
);
process.stdin.resume();
await once(process.stdin, 'end');
await Promise.all(servers.map((server) => server.stop()));
