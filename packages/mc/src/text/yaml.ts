// A file of its own, so that it is loaded by those who write YAML and by nobody else.
export { toYaml } from '@flotilla/machinery';
