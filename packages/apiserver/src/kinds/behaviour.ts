import type { FieldError, KubeObject, StatusError } from '@flotilla/machinery';

/** What a kind's functions may know about the request they serve. */
export interface KindContext {
  readonly now: () => Date;
  readonly user: string;
  /** The rest of the caller's identity, for kinds that record it. */
  readonly requester?: {
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Subresource being written, or '' for the object itself. */
  readonly subresource: string;
}

/** One cell of a printed table: kubectl shows it as it is. */
export type Cell = string | number | boolean | null;

/** Something kubectl may show about a whole row, such as that a pod has ended. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * What is particular about one built-in kind. Everything generic (metadata, names, generation, status
 * isolation, finalizers) is done by the handlers; a kind says only where it differs.
 *
 * Objects are canonical when these functions see them: decoded by the type tables, so unknown fields are gone,
 * zero values stand where Go would write them, and every field has its declared type. Functions may change
 * the `object` they are given in place, never `old`.
 */
export interface KindBehaviour<T extends KubeObject = KubeObject> {
  /** Upstream's defaults for this version of the kind, applied to everything decoded (also patches, also reads of old data). */
  readonly defaults?: (object: T) => void;
  /** After defaults on create, before admission: clears what users may not set, as upstream's strategy does. */
  readonly prepareForCreate?: (object: T, context: KindContext) => void;
  /** After defaults on update. The handler has already restored status (when there is a status subresource) and metadata. */
  readonly prepareForUpdate?: (object: T, old: T, context: KindContext) => void;
  /** Beyond ObjectMeta, which the handlers validate for every kind. Same fields, order and texts as upstream. */
  readonly validate?: (object: T, context: KindContext) => FieldError[];
  /** Beyond ObjectMeta and beyond `validate`, which also runs on update unless `validateOnUpdate` is false. */
  readonly validateUpdate?: (object: T, old: T, context: KindContext) => FieldError[];
  /** False when upstream's update validation does not repeat the create validation. @default true */
  readonly validateOnUpdate?: boolean;
  /** Writes to /status: the handler has already restored everything but status and metadata. */
  readonly prepareForStatusUpdate?: (object: T, old: T, context: KindContext) => void;
  /** True when writes to /status leave labels, annotations, finalizers and owners alone. @default false */
  readonly keepsMetadataOnStatus?: boolean;
  readonly validateStatusUpdate?: (object: T, old: T, context: KindContext) => FieldError[];
  /** Other subresources that write the object itself (pods/resize, namespaces/finalize, certificatesigningrequests/approval …). */
  readonly subresources?: Readonly<
    Record<
      string,
      {
        readonly prepareForUpdate: (object: T, old: T, context: KindContext) => void;
        readonly validateUpdate: (object: T, old: T, context: KindContext) => FieldError[];
      }
    >
  >;
  /** Warning headers on create and update (`old` is undefined on create). */
  readonly warnings?: (object: T, old: T | undefined, context: KindContext) => string[];
  /** How names of this kind are checked. @default 'subdomain' */
  readonly nameRule?:
    | 'subdomain'
    | 'label'
    | 'label-1035'
    | 'path-segment'
    | ((name: string, prefix: boolean) => string[]);
  /**
   * Whether metadata.generation counts changes of the object. `spec` compares everything but metadata and status;
   * 'none' leaves generation unset, as most data kinds do. @default 'none'
   */
  readonly generation?: 'none' | 'spec';
  /** False when PUT to an absent name must be 404, true when it creates (upstream AllowCreateOnUpdate). @default false */
  readonly createOnUpdate?: boolean;
  /** False when an update without resourceVersion is refused (upstream AllowUnconditionalUpdate). @default true */
  readonly unconditionalUpdate?: boolean;
  /** The object as upstream's conversions show it to whoever records its managers; a copy where it is another. */
  readonly asTracked?: (object: T) => T;
  /** Status of objects being created is cleared unless this is true. @default false */
  readonly keepsStatusOnCreate?: boolean;
  /** Grace period in seconds to use for a delete, as upstream's CheckGracefulDelete; undefined for kinds deleted at once. */
  readonly gracePeriod?: (object: T, asked: number | undefined) => number | undefined;
  /** What the first delete does to an object that then stays until its finalizers are gone, whatever it was asked for. */
  readonly holdOnDelete?: (object: T, now: Date) => void;
  /** True when a delete answers with the object instead of a Status (upstream ReturnDeletedObject). @default false */
  readonly returnsDeletedObject?: boolean;
  /** What garbage collection does when a delete names no propagation policy. @default 'background' */
  readonly defaultPropagation?: 'background' | 'orphan';
  /** Field selectors beyond metadata.name and metadata.namespace; each gives the field's text. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** What is said to whoever selects by another field, where the kind has a text of its own. */
  readonly unselectable?: (field: string) => string;
  /** The object whose metadata tables and metadata alone are made of, where upstream's conversions show another; a copy then. */
  readonly asPrinted?: (object: T) => T;
  /** The cells of one row, in the order of the generated column list of the kind. */
  readonly cells?: (object: T, context: { now: Date }) => Cell[];
  /** What is to be said about the row as a whole; undefined when nothing is. */
  readonly rowConditions?: (object: T) => readonly RowCondition[] | undefined;
  /** A warning for a delete that names no propagation policy. */
  readonly deleteWarning?: string;
  /** Reads and writes for /scale. */
  readonly scale?: {
    readonly replicas: (object: T) => number;
    readonly statusReplicas: (object: T) => number;
    readonly selector: (object: T) => string;
    readonly setReplicas: (object: T, replicas: number) => void;
    /** Where the replicas are. @default spec.replicas */
    readonly replicasPath?: readonly string[];
    /** Why an object cannot be scaled, where its kind does not give it replicas; `reading` for a get. */
    readonly missing?: (object: T, reading: boolean) => StatusError | undefined;
  };
}
