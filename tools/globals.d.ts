/** The folder of generated tables; set by tools/bundle.mjs. */
declare const FLOTILLA_DATA: string;
/** The root of the checkout; set by tools/bundle.mjs, for tools and tests only. */
declare const FLOTILLA_ROOT: string;
declare module '*/bundle.mjs' {
  export function bundle(options: {
    entries: Record<string, string> | string[];
    outdir: string;
    splitting?: boolean;
    sourcemap?: boolean;
    shipped?: boolean;
  }): Promise<void>;
}
