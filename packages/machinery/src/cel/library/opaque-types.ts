import { objectType, opaqueType } from '../types.ts';

export const urlType = objectType('kubernetes.URL');
export const quantityType = objectType('kubernetes.Quantity');
export const semverType = objectType('kubernetes.Semver');
export const formatType = objectType('kubernetes.NamedFormat');
export const ipType = opaqueType('net.IP');
export const cidrType = opaqueType('net.CIDR');
export const authorizerType = objectType('kubernetes.authorization.Authorizer');
export const pathCheckType = objectType('kubernetes.authorization.PathCheck');
export const groupCheckType = objectType('kubernetes.authorization.GroupCheck');
export const resourceCheckType = objectType('kubernetes.authorization.ResourceCheck');
export const decisionType = objectType('kubernetes.authorization.Decision');
