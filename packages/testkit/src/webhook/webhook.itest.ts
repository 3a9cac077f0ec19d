import { startServer } from '../start-server.ts';
import { webhookCases } from './webhook.cases.ts';

webhookCases(startServer);
