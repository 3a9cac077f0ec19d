export type * from './access.ts';
export type * from './client.ts';
export type * from './transport.ts';
export { TransportError, type TransportFault } from './transport-error.ts';
