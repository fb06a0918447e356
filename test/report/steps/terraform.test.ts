/** The Terraform snippets are read by a real parser of HCL and held against the schema of hashicorp/aws. */
import { parse } from '@cdktf/hcl2json';
import { type Snippet, snippets } from './snippets.ts';

type Argument = 'string' | 'number' | 'boolean' | 'object';
type Block = Record<string, unknown>;

/** Every argument of the resource, and of the language (count, for_each, lifecycle): provider 6.17, read 2026-11-21. */
const schemas: Record<string, Record<string, Argument>> = {
  aws_ebs_volume: {
    availability_zone: 'string',
    encrypted: 'boolean',
    final_snapshot: 'boolean',
    iops: 'number',
    kms_key_id: 'string',
    multi_attach_enabled: 'boolean',
    outpost_arn: 'string',
    size: 'number',
    snapshot_id: 'string',
    tags: 'object',
    throughput: 'number',
    type: 'string',
    volume_initialization_rate: 'number',
    count: 'number',
    for_each: 'string',
    lifecycle: 'object',
  },
  aws_volume_attachment: {
    device_name: 'string',
    force_detach: 'boolean',
    instance_id: 'string',
    skip_destroy: 'boolean',
    stop_instance_before_detaching: 'boolean',
    volume_id: 'string',
    for_each: 'string',
  },
};

interface Module {
  variable: Record<string, Block[]>;
  locals?: { devices: Record<string, string> }[];
  resource: Record<string, Record<string, Block[]>>;
}

/** The parser types its answer as any object; what is read of it below must be there, or the tests fail. */
const parsed = async (terraform: string): Promise<Module> =>
  (await parse('main.tf', terraform)) as unknown as Module;

/** What the provider would refuse by name, by type or for this type of volume. */
function troubles(type: string, block: Block): string[] {
  const schema = schemas[type];
  if (schema === undefined) return [`no resource ${type}`];
  const wrong = Object.entries(block).filter(([name, value]) => schema[name] !== typeof value);
  const volumeType = String(block['type']);
  return [
    ...wrong.map(([name, value]) => `${type}.${name} = ${JSON.stringify(value)}`),
    ...('iops' in block && !/^(gp3|io1|io2)$/.test(volumeType) ? [`iops on ${volumeType}`] : []),
    ...('throughput' in block && volumeType !== 'gp3' ? [`throughput on ${volumeType}`] : []),
    ...(/^io[12]$/.test(volumeType) && !('iops' in block) ? [`no iops on ${volumeType}`] : []),
  ];
}

const onlyBlock = (module: Module, type: string): Block => {
  const blocks = module.resource[type]?.['data'];
  if (blocks?.length !== 1) throw new Error(`not one ${type}`);
  return blocks[0] as Block;
};

const variablesUsed = (text: string): string[] =>
  [...new Set([...text.matchAll(/\bvar\.(\w+)/g)].map(([, name]) => name as string))].sort();

test.each(snippets)('$what: the module holds the figures of each volume', async (snippet) => {
  const { steps, each, layout, stays } = snippet;
  const module = await parsed(steps.terraform);
  const volume = onlyBlock(module, 'aws_ebs_volume');
  expect(troubles('aws_ebs_volume', volume)).toEqual([]);
  expect({
    volumeType: volume['type'],
    sizeGiB: volume['size'],
    iops: volume['iops'],
    throughputMiBps: volume['throughput'],
  }).toEqual({ iops: undefined, throughputMiBps: undefined, ...each });
  const devices = module.locals?.[0]?.devices ?? {};
  expect(stays ? (volume['count'] ?? 1) : Object.keys(devices).length).toBe(layout.members);
  expect(new Set(Object.values(devices)).size).toBe(stays ? 0 : layout.members);
  expect('tags' in volume).toBe(!stays); // the tags that a volume has are not touched
});

test.each(snippets)('$what: all that is named is declared', async ({ steps, stays, deployment }) => {
  const module = await parsed(steps.terraform);
  expect(Object.keys(module.variable).sort()).toEqual(variablesUsed(steps.terraform));
  expect('outpost_arn' in onlyBlock(module, 'aws_ebs_volume')).toBe(deployment === 'outposts');
  expect('aws_volume_attachment' in module.resource).toBe(!stays);
  if (stays) return;
  const attachment = onlyBlock(module, 'aws_volume_attachment');
  expect(troubles('aws_volume_attachment', attachment)).toEqual([]);
  // Without ${} around the whole the parser would have taken it for a text.
  expect(attachment['volume_id']).toBe(`\${aws_ebs_volume.data[each.key].id}`);
});

test('what is no HCL, or no argument, is noticed', async () => {
  const { steps } = snippets[0] as Snippet;
  await expect(parsed(steps.terraform.replace(/\}\s*$/, ''))).rejects.toThrow('Unclosed configuration block');
  const renamed = await parsed(steps.terraform.replace('throughput', 'throughputs'));
  expect(troubles('aws_ebs_volume', onlyBlock(renamed, 'aws_ebs_volume'))).toEqual([
    'aws_ebs_volume.throughputs = 125',
  ]);
});
