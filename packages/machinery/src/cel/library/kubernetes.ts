import { authorizerFunctions } from './authorizer.ts';
import type { FunctionDecl } from './function.ts';
import { ipFunctions } from './ip.ts';
import { listExtension } from './list-extension.ts';
import { listFunctions } from './lists.ts';
import { formatFunctions } from './named-formats.ts';
import { quantityFunctions } from './quantity.ts';
import { regexFunctions } from './regex.ts';
import { semverFunctions } from './semver.ts';
import { setFunctions } from './sets.ts';
import { stringFunctions } from './strings.ts';
import { urlFunctions } from './urls.ts';

/** Kubernetes' own libraries and those of cel-go that it turns on. */
export const kubernetesFunctions: readonly FunctionDecl[] = [
  ...urlFunctions,
  ...regexFunctions,
  ...listFunctions,
  ...authorizerFunctions,
  ...quantityFunctions,
  ...stringFunctions,
  ...setFunctions,
  ...ipFunctions,
  ...formatFunctions,
  ...semverFunctions,
];

/** What only stored expressions may use, since the previous minor version does not know it. */
export const storedFunctions: readonly FunctionDecl[] = listExtension;
