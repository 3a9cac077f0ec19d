import { startServer } from '../start-server.ts';
import { passesCases } from './passes.cases.ts';

passesCases(startServer);
