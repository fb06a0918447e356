/** Without credentials nothing can be read: that is for the person to fix, in one line. */
import { BadInput, type Unreadable } from '../core/errors.ts';

/** @param otherwise what can be done without any, such as "audit files with --volumes and --metrics". */
export function asBadInput(error: Unreadable, profile: string | undefined, otherwise?: string): Error {
  const cause = error.cause as Error;
  const noCredentials = /Credential|Token|Profile/i.test(cause?.name) || /credential/i.test(cause?.message);
  if (!noCredentials) return error;
  const whose = profile === undefined ? '' : ` of profile "${profile}"`;
  const right = ['sign in', 'give --profile', ...(otherwise === undefined ? [] : [`or ${otherwise}`])];
  return new BadInput(
    `AWS credentials${whose} cannot be used: ${cause.message.split('\n')[0]} (${right.join(', ')})`,
  );
}
