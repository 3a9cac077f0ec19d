import { startServer } from '@flotilla/testkit';
import { healthCases } from './cases/health.cases.ts';
import { rotationCases } from './cases/rotation.cases.ts';

healthCases(startServer);
rotationCases(startServer);
