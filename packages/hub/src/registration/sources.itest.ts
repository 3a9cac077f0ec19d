import { startServer } from '@flotilla/testkit';
import { namespaceCases } from './cases/namespace.cases.ts';
import { sourceCases } from './cases/sources.cases.ts';

sourceCases(startServer);
namespaceCases(startServer);
