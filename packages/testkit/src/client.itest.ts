import { clientCases } from './client.cases.ts';
import { startServer } from './start-server.ts';

clientCases(startServer);
