/** What the stacks are called, and where one finds what another has. */
export const auditStack = 'Stripewise';

/** The stack of the benchmark beside an audit's. Short: names of functions begin with it, and have 64 characters. */
export const benchmarkStackOf = (audit: string): string => `${audit}-Bench`;

/** What the benchmark needs to know of the audit's stack. */
export type SharedName = 'RunsBucket' | 'AlarmsTopic';

/**
 * The parameter of Systems Manager in which the audit's stack says it.
 * @param stack its name, which may be a reference in a template.
 */
export const sharedParameter = (stack: string, name: SharedName): string => `/stripewise/${stack}/${name}`;

/**
 * The names of the roles with which the functions of a hub read in members: `<stack>-hub-<function>`. Fixed, because members trust
 * them by name: a trust policy keeps a role that it names by ARN by its id, and would not know the hub that is deployed anew.
 * @param stack its name, which may be a reference in a template.
 */
export const hubRoleNames = (stack: string): string => `${stack}-hub-*`;
