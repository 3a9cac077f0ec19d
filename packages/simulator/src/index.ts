export { type Simulator, type SimulatorOptions, startSimulator } from './start-simulator.ts';
