/** In which order CloudFormation removes a stack: a resource after all that refer to it. */
import type { Synthesized } from './synthesized.ts';

/** Every resource that this one refers to or names in DependsOn, and theirs. */
function needsOf(stack: Synthesized, id: string, found = new Set<string>()): Set<string> {
  const resource = stack.json.Resources[id];
  const dependsOn = [resource?.['DependsOn'] ?? []].flat();
  const text = JSON.stringify(resource?.Properties);
  const near = Object.keys(stack.json.Resources).filter(
    (other) =>
      text.includes(`"Ref":"${other}"`) ||
      text.includes(`"Fn::GetAtt":["${other}"`) ||
      dependsOn.includes(other),
  );
  for (const other of near) {
    if (found.has(other)) continue;
    found.add(other);
    needsOf(stack, other, found);
  }
  return found;
}

export const goesBefore = (stack: Synthesized, first: string, then: string): boolean =>
  needsOf(stack, first).has(then);
