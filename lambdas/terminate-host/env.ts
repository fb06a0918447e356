/** It reads nothing from it. */
export type Env = Record<never, never>;
