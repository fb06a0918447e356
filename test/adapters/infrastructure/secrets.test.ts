/** What is secret in a file is not kept, however it is marked. */
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
let files = 0;
const read = (text: string | object, ending = 'json') =>
  readPlanned([directory.write(`${files++}.${ending}`, text)]).resources;

describe('tags that are sensitive', () => {
  const tags = { Name: 'hush', team: 'orders' };
  const withTags = (after: object, after_sensitive: object) =>
    read({
      format_version: '1.2',
      resource_changes: [
        {
          ...{ address: 'aws_ebs_volume.a', type: 'aws_ebs_volume', name: 'a', mode: 'managed' },
          change: { actions: ['create'], before: null, after: { size: 1, ...after }, after_sensitive },
        },
        {
          ...{ address: 'aws_instance.a', type: 'aws_instance', name: 'a', mode: 'managed' },
          change: {
            actions: ['create'],
            before: null,
            after: { ebs_block_device: [{ device_name: '/dev/sdf', ...after }] },
            after_sensitive: { ebs_block_device: [after_sensitive] },
          },
        },
      ],
    });
  test.each([
    ['all of tags', { tags: true, tags_all: {} }, {}],
    ['all of tags_all', { tags: {}, tags_all: true }, {}],
    ['a key of tags', { tags: { Name: true }, tags_all: {} }, { team: 'orders' }],
    ['a key of tags_all', { tags_all: { Name: true } }, { team: 'orders' }],
  ])('%s: they are not kept from the other either', (_, mask, kept) => {
    for (const after of [{ tags, tags_all: tags }, { tags }, { tags_all: tags }]) {
      const resources = withTags(after, mask);
      expect(JSON.stringify(resources)).not.toContain('hush');
      expect(resources[0]?.tags).toEqual(kept);
    }
  });
  test('without a mark they are kept', () => {
    expect(withTags({ tags, tags_all: tags }, { tags: {}, tags_all: {} })[0]?.tags).toEqual(tags);
  });
});

describe('NoEcho', () => {
  const deviceOf = (noEcho: string): string | null => {
    const text = `Parameters: {P: {Type: String, ${noEcho} Default: /dev/hush}}
Resources:
  I: {Type: AWS::EC2::Instance, Properties: {BlockDeviceMappings: [{DeviceName: !Ref P, Ebs: {VolumeSize: 9}}]}}
`;
    const [instance] = read(text, 'yaml');
    return instance?.kind === 'instance' ? (instance.devices[0]?.device ?? null) : 'no instance';
  };
  test.each([
    'true',
    '"true"',
    '"True"',
    'TRUE',
    'yes',
    '"YES"',
    '1',
    '"1"',
    'on',
    'perhaps',
    '[]',
    'null',
    '""',
  ])('%s makes a secret', (value) => expect(deviceOf(`NoEcho: ${value},`)).toBeNull());
  test.each(['', 'NoEcho: false,', 'NoEcho: "false",', 'NoEcho: "False",', 'NoEcho: no,', 'NoEcho: 0,'])(
    '%j makes none',
    (written) => expect(deviceOf(written)).toBe('/dev/hush'),
  );
});
