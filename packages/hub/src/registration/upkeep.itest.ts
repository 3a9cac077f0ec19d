import { startServer } from '@flotilla/testkit';
import { healthCases } from './cases/health.cases.ts';
import { rotationCases } from './cases/rotation.cases.ts';

// As many as the scenario says are tried on the real server.
healthCases(startServer, { fleet: 100 });
rotationCases(startServer);
