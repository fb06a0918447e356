/** Of the Pythons that PATH reaches, the first that is new enough. @throws Error where there is none. */
export function findPython(): string;

export interface Venv {
  directory: string;
  /** Its Python. */
  python: string;
  /** Whether it has exactly what local/requirements.txt lists. */
  isInstalled: boolean;
  /** What a Python is started with to make it. */
  makerArguments: string[];
}

/** @param root the checkout. */
export function venvOf(root: string): Venv;

/** In one line. */
export function whyNotMade(directory: string, status: number | null, errorOutput: string): string;
