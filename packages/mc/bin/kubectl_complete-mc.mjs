#!/usr/bin/env node
// biome-ignore-all lint/style/useFilenamingConvention: kubectl looks for this name.
// kubectl calls this with the words behind `kubectl mc` when its user presses TAB.
import { launch } from './launch.mjs';

process.argv.splice(2, 0, '__complete', '--');
await launch();
