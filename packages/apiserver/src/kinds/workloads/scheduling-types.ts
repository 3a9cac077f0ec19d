import type { Int64, LabelSelector, List } from './api-values.ts';

/** One requirement on a node's labels or fields. */
export interface NodeRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** Requirements on a node that must all hold. */
export interface NodeSelectorTerm {
  matchExpressions?: NodeRequirement[];
  matchFields?: NodeRequirement[];
}

/** Which nodes a pod needs or prefers. */
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: List<NodeSelectorTerm> };
  preferredDuringSchedulingIgnoredDuringExecution?: {
    weight: number;
    preference: NodeSelectorTerm;
  }[];
}

/** Pods a pod wants near (or far). */
export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

/** Required and preferred neighbours. */
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: {
    weight: number;
    podAffinityTerm: PodAffinityTerm;
  }[];
}

/** Where a pod wants to run. */
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}

/** A taint a pod bears. */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: Int64;
}

/** How evenly pods are spread. */
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}
