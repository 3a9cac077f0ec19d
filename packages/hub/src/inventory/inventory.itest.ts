import { startServer } from '@flotilla/testkit';
import { inventoryCases } from './inventory.cases.ts';

inventoryCases(startServer);
