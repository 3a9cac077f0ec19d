import { startServer } from '@flotilla/testkit';
import { applicationCases } from './cases/applications.cases.ts';
import { lifecycleCases } from './cases/lifecycle.cases.ts';

lifecycleCases(startServer);
applicationCases(startServer);
