/** The configuration of the stacks: one file for them and for the command line. */
export { readConfig } from '../adapters/files/config-file.ts';
export { BadConfig } from '../core/config/check.ts';
export type { Config } from '../core/config/config.ts';
