/** What the pages are bundled with; see build-generated.mjs. */
export interface Bundle {
  script: string;
  style: string;
  /** Paths of all that is in it, from the checkout. */
  inputs: string[];
}
export function bundlePage(folder: string, tsconfig: string): Promise<Bundle>;
