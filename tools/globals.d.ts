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
  }): Promise<string[]>;
}
declare module '*/launch.mjs' {
  export function freshBundle(
    name: string,
    dist: string,
    build: (folder: string) => Promise<string[]>,
  ): Promise<string>;
}
declare module '*/build-mc.mjs' {
  export function buildMc(folder?: string): Promise<string>;
}
declare module '*/pack-script.mjs' {
  export function packScript(
    name: string,
    entry: string,
  ): Promise<{ code: string; inputs: string[] }>;
}
