// `npm start -- FLAGS`: installs if needed, then `flotilla up FLAGS` in the foreground.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
process.argv = [process.argv[0], 'flotilla', 'up', ...process.argv.slice(2)];
const { launch } = await import(pathToFileURL(join(root, 'packages/cli/bin/launch.mjs')).href);
await launch('flotilla');
