import type { Json } from '@flotilla/machinery';
import type { ResourceDef } from '../resources/resource.ts';

/** Which OpenAPI a document is written in. */
export type OpenApiForm = 'v2' | 'v3';

/** What the paths of a custom kind are written from. */
export interface PathsOf {
  readonly def: ResourceDef;
  /** Definitions of the kind and of its list. */
  readonly names: { readonly kind: string; readonly list: string };
}

interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly action: string;
  readonly id: string;
  /** Definition of the answer. */
  readonly output: string;
  readonly codes: readonly string[];
  /** Definition of the body, and the types it may have. */
  readonly input?: {
    readonly name: string;
    readonly types: readonly string[];
    readonly required: boolean;
  };
  readonly parameters: Readonly<Record<string, string>>;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const SCALE = 'io.k8s.api.autoscaling.v1.Scale';
const TEXTS = ['application/json', 'application/yaml'];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];
const CODES: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
};

const LIST = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};
const WRITE = { dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' };
const DELETE = {
  dryRun: 'string',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
};

/** All paths of one version of a custom kind, as upstream describes them. */
export function customPaths({ def, names }: PathsOf, form: OpenApiForm): Json {
  const base = `/apis/${def.group}/${def.version}`;
  const root = `${base}${def.namespaced ? '/namespaces/{namespace}' : ''}/${def.resource}`;
  const scope = `${def.namespaced ? 'Namespaced' : ''}${def.kind}`;
  const body = (name: string, types = TEXTS, required = true) => ({ name, types, required });
  const written = (id: string, kind: string): Operation[] => [
    {
      method: 'get',
      action: 'get',
      id: `read ${id}`,
      output: kind,
      codes: ['200'],
      parameters: { resourceVersion: 'string' },
    },
    {
      method: 'put',
      action: 'put',
      id: `replace ${id}`,
      output: kind,
      codes: ['200', '201'],
      input: body(kind),
      parameters: WRITE,
    },
    {
      method: 'patch',
      action: 'patch',
      id: `patch ${id}`,
      output: kind,
      codes: ['200'],
      input: body(`${META}.Patch`, PATCHES),
      parameters: { ...WRITE, force: 'boolean' },
    },
  ];
  const status = `${META}.Status`;
  const list: Omit<Operation, 'id'> = {
    method: 'get',
    action: 'list',
    output: names.list,
    codes: ['200'],
    parameters: LIST,
  };
  const [read, replace, patch] = written(scope, names.kind);
  const paths: Record<string, Operation[]> = {
    [root]: [
      { ...list, id: `list ${scope}` },
      {
        method: 'post',
        action: 'post',
        id: `create ${scope}`,
        output: names.kind,
        codes: ['200', '201', '202'],
        input: body(names.kind),
        parameters: WRITE,
      },
      {
        method: 'delete',
        action: 'deletecollection',
        id: `delete Collection${scope}`,
        output: status,
        codes: ['200'],
        parameters: LIST,
      },
    ],
    [`${root}/{name}`]: [
      ...(read === undefined || replace === undefined ? [] : [read, replace]),
      {
        method: 'delete',
        action: 'delete',
        id: `delete ${scope}`,
        output: status,
        codes: ['200', '202'],
        input: body(`${META}.DeleteOptions`, TEXTS, false),
        parameters: DELETE,
      },
      ...(patch === undefined ? [] : [patch]),
    ],
  };
  if (def.subresources.has('status')) {
    paths[`${root}/{name}/status`] = written(`${scope}Status`, names.kind);
  }
  if (def.subresources.has('scale')) {
    paths[`${root}/{name}/scale`] = written(`${scope}Scale`, SCALE);
  }
  if (def.namespaced) {
    paths[`${base}/${def.resource}`] = [{ ...list, id: `list ${def.kind}ForAllNamespaces` }];
  }
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      pathItem(def, { path, operations }, form),
    ]),
  );
}

/** What all operations of a path take is said once, for the path. */
function pathItem(
  def: ResourceDef,
  { path, operations }: { path: string; operations: readonly Operation[] },
  form: OpenApiForm,
): Json {
  const isShared = (name: string): boolean =>
    operations.every(({ parameters }) => Object.hasOwn(parameters, name));
  const inPath = ['name', 'namespace'].filter((name) => path.includes(`{${name}}`));
  const shared = Object.entries({ ...operations[0]?.parameters, pretty: 'string' })
    .filter(([name]) => name === 'pretty' || isShared(name))
    .map(([name, type]) => parameter(form, { name, type, in: 'query' }));
  const item: Json = {};
  for (const operation of operations) {
    const own = Object.entries(operation.parameters)
      .filter(([name]) => !isShared(name))
      .map(([name, type]) => parameter(form, { name, type, in: 'query' }));
    item[operation.method] = operationOf(def, { operation, own }, form);
  }
  item['parameters'] = [
    ...inPath.map((name) => parameter(form, { name, type: 'string', in: 'path' })),
    ...shared.sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
  ];
  return item;
}

function parameter(
  form: OpenApiForm,
  { name, type, in: place }: { name: string; type: string; in: string },
): Json {
  const required = place === 'path' ? { required: true } : {};
  return form === 'v3'
    ? { name, in: place, ...required, schema: { type, uniqueItems: true } }
    : { uniqueItems: true, type, name, in: place, ...required };
}

function operationOf(
  def: ResourceDef,
  { operation, own }: { operation: Operation; own: readonly Json[] },
  form: OpenApiForm,
): Json {
  const { group, version, kind } = def;
  const { input, output, codes, action, id } = operation;
  const [verb = '', noun = ''] = id.split(' ');
  const about = {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
  const named = {
    tags: [`${camel(group, false)}_${version}`],
    operationId: `${verb}${camel(group)}${camel(version)}${noun}`,
  };
  const answers = (content: (name: string) => Json): Json => ({
    ...Object.fromEntries(
      codes.map((code) => [code, { description: CODES[code], ...content(output) }]),
    ),
    '401': { description: 'Unauthorized' },
  });
  if (form === 'v3') {
    const content = (types: readonly string[], name: string): Json =>
      Object.fromEntries(
        types.map((type) => [type, { schema: { $ref: `#/components/schemas/${name}` } }]),
      );
    return {
      ...named,
      ...(own.length === 0 ? {} : { parameters: own }),
      ...(input === undefined
        ? {}
        : {
            requestBody: {
              content: content([...input.types].sort(), input.name),
              ...(input.required ? { required: true } : {}),
            },
          }),
      responses: answers((name) => ({ content: content(TEXTS, name) })),
      ...about,
    };
  }
  const schema = (name: string): Json => ({ schema: { $ref: `#/definitions/${name}` } });
  const body =
    input === undefined
      ? []
      : [
          {
            name: 'body',
            in: 'body',
            ...(input.required ? { required: true } : {}),
            ...schema(input.name),
          },
        ];
  return {
    consumes: input?.types ?? TEXTS,
    produces: TEXTS,
    schemes: ['https'],
    ...named,
    ...(own.length + body.length === 0 ? {} : { parameters: [...body, ...own] }),
    responses: answers(schema),
    ...about,
  };
}

/** `example.com` as part of a name: `ExampleCom`. */
function camel(text: string, isFirstUpper = true): string {
  const parts = text.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  return parts
    .map((part, index) =>
      index > 0 || isFirstUpper ? part.charAt(0).toUpperCase() + part.slice(1) : part,
    )
    .join('');
}
