import { startServer } from '@flotilla/testkit';
import { inputCases } from './cases/input.cases.ts';
import { joiningCases } from './cases/joining.cases.ts';

joiningCases(startServer);
inputCases(startServer);
