import { seedCases } from './seed.cases.ts';
import { startWithGateway } from './testing/seed-hub.ts';

seedCases(startWithGateway, { hasGateway: true });
