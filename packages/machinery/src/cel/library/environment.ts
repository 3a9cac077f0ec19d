import type { Declarations } from '../check/checker.ts';
import type { CelEnvironment } from '../program.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  paramType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types.ts';
import type { FunctionDecl } from './function.ts';
import { kubernetesFunctions, storedFunctions } from './kubernetes.ts';
import * as opaque from './opaque-types.ts';
import { optionalFunctions } from './optional.ts';
import { standardFunctions } from './standard.ts';

/** Functions of one name in several libraries become one with all their overloads. */
function merge(libraries: readonly (readonly FunctionDecl[])[]): Map<string, FunctionDecl> {
  const functions = new Map<string, FunctionDecl>();
  for (const fn of libraries.flat()) {
    const known = functions.get(fn.name);
    const overloads = known ? [...known.overloads, ...fn.overloads] : fn.overloads;
    functions.set(fn.name, { name: fn.name, overloads });
  }
  return functions;
}

function typeNames(): Map<string, CelType> {
  const types: readonly CelType[] = [
    ...[boolType, bytesType, doubleType, durationType, intType, nullType, stringType],
    ...[timestampType, uintType, listType(paramType('A')), typeType()],
    mapType(paramType('A'), paramType('B')),
    optionalType(paramType('A')),
    ...[opaque.ipType, opaque.cidrType],
  ];
  return new Map(types.map((type) => [type.name, typeType(type)]));
}

interface Libraries {
  readonly types: ReadonlyMap<string, CelType>;
  readonly new: ReadonlyMap<string, FunctionDecl>;
  readonly stored: ReadonlyMap<string, FunctionDecl>;
}

let libraries: Libraries | undefined;

/** Made once, when the first expression is compiled. */
function allLibraries(): Libraries {
  const base = [standardFunctions, optionalFunctions, kubernetesFunctions];
  libraries ??= {
    types: typeNames(),
    new: merge(base),
    stored: merge([...base, storedFunctions]),
  };
  return libraries;
}

/** Everything that expressions of an environment can refer to. */
export function declarationsOf(env: CelEnvironment): Declarations {
  const { types, ...functions } = allLibraries();
  const variables = new Map(
    env.variables.map(({ name, type, optional }) => [
      name,
      optional ? optionalType(type.type) : type.type,
    ]),
  );
  return { variables, types, functions: functions[env.expressions ?? 'stored'] };
}
