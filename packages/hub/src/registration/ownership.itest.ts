import { startServer } from '@flotilla/testkit';
import { ownershipCases } from './cases/ownership.cases.ts';

ownershipCases(startServer);
