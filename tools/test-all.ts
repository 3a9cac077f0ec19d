// `npm test`: the gate, then every unit and in-process test.
import { runTool } from './run.ts';

runTool('ok');
runTool('test', process.argv.slice(2));
