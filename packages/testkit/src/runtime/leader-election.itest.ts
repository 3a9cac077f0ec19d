import { startServer } from '../start-server.ts';
import { leaderElectionCases } from './leader-election.cases.ts';

leaderElectionCases(startServer);
