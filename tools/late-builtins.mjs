// A plugin of esbuild: modules of Node that are large are loaded when something of them is used for the first time, and
// not with the first module of ours that might.
import process from 'node:process';

/** Those that take a millisecond or more. */
const LATE =
  /^node:(child_process|crypto|dns\/promises|fs\/promises|http2|readline|readline\/promises|zlib)$/;

/** What esbuild calls these modules of ours begins so. */
const NAMESPACE = 'late';

/** Whether an input is a file, and not one of these modules. */
export const isFile = (input) => !input.startsWith(`${NAMESPACE}:`);

export const lateBuiltins = {
  name: 'late-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: LATE }, ({ path }) => ({ path, namespace: NAMESPACE, sideEffects: false }));
    onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => ({ contents: lateModule(path) }));
  },
};

/** The same names, each with what fetches the module first. */
function lateModule(name) {
  const names = Object.entries(process.getBuiltinModule(name));
  const lines = names.map(([each, value]) => `export const ${each} = ${lateValue(each, value)};`);
  return `let found;
const use = () => (found ??= process.getBuiltinModule(${JSON.stringify(name)}));
const late = (name) => new Proxy(function () {}, {
  apply: (_, self, args) => use()[name](...args),
  construct: (_, args) => Reflect.construct(use()[name], args),
  get: (_, key) => use()[name][key],
});
${lines.join('\n')}
`;
}

/** Functions and classes can wait. Nothing tells when anything else is looked at, so that loads the module at once. */
function lateValue(name, value) {
  return typeof value === 'function'
    ? `/* @__PURE__ */ late('${name}')`
    : `/* @__PURE__ */ (() => use().${name})()`;
}
