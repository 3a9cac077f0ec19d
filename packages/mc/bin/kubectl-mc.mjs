#!/usr/bin/env node
// Builds the bundle when the sources are newer, then runs it. Linked as `kubectl-mc` by npm's install.
import { launch } from './launch.mjs';

await launch();
