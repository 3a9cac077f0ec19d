/** The version of the whole product: one number for all packages. */
export const VERSION = '0.1.0';
