/** Files that nest others, lead elsewhere, or are named more than once. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import { BadInput } from '../../../core/errors.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();

let folders = 0;
/** A directory of its own with these files; a text that begins with -> is a link. */
function folderOf(files: Record<string, string | object>): string {
  const folder = join(directory.path, `folder-${folders++}`);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' && content.startsWith('->')) symlinkSync(content.slice(2), path);
    else writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const volume = { Type: 'AWS::EC2::Volume', Properties: { Size: 100, VolumeType: 'gp2' } };
const nesting = (TemplateURL: string) => ({
  Type: 'AWS::CloudFormation::Stack',
  Properties: { TemplateURL },
});
const child = { Resources: { Inner: volume } };
const parentOf = (...urls: string[]) => ({
  Resources: {
    Own: volume,
    ...Object.fromEntries(urls.map((url, at) => [`Nested${at}`, nesting(url)])),
  },
});
const addresses = (...paths: string[]) => readPlanned(paths).resources.map(({ address }) => address);

describe('a nested template that cannot be read', () => {
  test.each([
    ['empty', '', 'it is empty'],
    ['spaces', ' \n', 'it is empty'],
    ['binary', 'a\0b', 'it is no text in UTF-8'],
    ['cut short', '{"Resources": {"Inner": ', 'it is no CloudFormation template'],
    ['a list', '[]', 'it is no CloudFormation template'],
  ])('%s: what nests it is read, and it counts as not read, once', (_, text, reason) => {
    const folder = folderOf({ 'parent.json': parentOf('child.json', 'child.json'), 'child.json': text });
    for (const named of [folder, join(folder, 'parent.json')]) {
      const { resources, coverage } = readPlanned([named]);
      expect(resources.map(({ address }) => address)).toEqual(['Own']);
      expect(coverage).toMatchObject({ files: 1, passedOver: [] });
      expect(coverage.unknown).toEqual([{ type: 'AWS::CloudFormation::Stack', count: 2 }]);
      expect(coverage.unreadable).toHaveLength(1);
      expect(coverage.unreadable[0]?.file).toBe(join(folder, 'child.json'));
      if (named !== folder) expect(coverage.unreadable[0]?.reason).toContain(reason);
    }
  });
  test('in a CDK app as well', () => {
    const folder = folderOf({
      'manifest.json': manifestOf('parent.json'),
      'parent.json': parentOf('child.json'),
      'child.json': '',
    });
    const { resources, coverage } = readPlanned([folder]);
    expect(resources.map(({ address }) => address)).toEqual(['Orders/Own']);
    expect(coverage.unreadable.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('child.json: it is empty'),
    ]);
  });
  test('templates that nest each other are read all the same', () => {
    const folder = folderOf({ 'a.json': parentOf('b.json'), 'b.json': parentOf('a.json') });
    expect(addresses(folder)).toEqual(['Own', 'Nested0/Own']);
  });
  test('a template is read by itself where the file that nests it is refused as a whole', () => {
    const folder = folderOf({
      'parent.yaml': `${JSON.stringify(parentOf('x.json'))}\n---\n{{ .Values.more }}\n`,
      'x.json': child,
    });
    expect(addresses(folder)).toContain('Inner');
  });
});

const manifestOf = (templateFile: string, more: object = {}) => ({
  version: '36.0.0',
  artifacts: {
    Orders: { type: 'aws:cloudformation:stack', properties: { templateFile } },
    ...more,
  },
});

describe('links lead out of no directory', () => {
  const outside = folderOf({ 'secret.json': child, 'stage/manifest.json': manifestOf('../secret.json') });
  test.each([
    ['the template of a stack', { 'link.json': `->${outside}/secret.json` }, 'link.json'],
    ['a directory before it', { linked: `->${outside}` }, 'linked/secret.json'],
    ['the path itself', {}, '../../secret.json'],
  ])('%s', (_, links, templateFile) => {
    const folder = folderOf({ 'manifest.json': manifestOf(templateFile), ...links });
    const { resources, coverage } = readPlanned([folder]);
    expect(resources).toEqual([]);
    expect(coverage.unreadable.map(({ reason }) => reason)).toEqual([
      `${folder}/manifest.json: what it names is not there, leads out of it or names itself: ${templateFile}; synthesize the app again`,
    ]);
  });
  test('the directory of a stage', () => {
    const stage = { type: 'cdk:cloud-assembly', properties: { directoryName: 'stage' } };
    const folder = folderOf({
      'manifest.json': manifestOf('own.json', { Stage: stage }),
      'own.json': parentOf(),
      stage: `->${outside}/stage`,
    });
    const { resources, coverage } = readPlanned([folder]);
    expect(resources.map(({ address }) => address)).toEqual(['Orders/Own']);
    expect(coverage.unreadable).toHaveLength(1);
  });
  test.each(['link.json', 'linked/secret.json'])('a nested template: %s', (url) => {
    const nested = {
      Own: volume,
      ByUrl: nesting(url),
      ByAsset: { ...nesting('https://x/y'), Metadata: { 'aws:asset:path': url } },
    };
    const folder = folderOf({
      'parent.json': { Resources: nested },
      'link.json': `->${outside}/secret.json`,
      linked: `->${outside}`,
    });
    for (const named of [folder, join(folder, 'parent.json')]) {
      const { resources, coverage } = readPlanned([named]);
      expect(resources.map(({ address }) => address)).toEqual(['Own']);
      expect(coverage.unknown).toEqual([{ type: 'AWS::CloudFormation::Stack', count: 2 }]);
      expect(coverage.unreadable.map(({ reason }) => reason)).toEqual([
        `${folder}/${url}: a link leads out of the directory; give the file itself in its place`,
      ]);
    }
  });
  test('a template beside the directory is not read, and counts as a stack that is not known', () => {
    const folder = folderOf({ 'inner/parent.json': parentOf('../child.json'), 'child.json': child });
    const { coverage } = readPlanned([join(folder, 'inner')]);
    expect(coverage.unknown).toEqual([{ type: 'AWS::CloudFormation::Stack', count: 1 }]);
    expect(coverage.unreadable).toEqual([]);
  });
  test('a link that stays within is followed', () => {
    const folder = folderOf({
      'parent.json': parentOf('link.json'),
      'link.json': '->inner/child.json',
      'inner/child.json': child,
    });
    expect(addresses(folder)).toEqual(['Own', 'Nested0/Inner']);
  });
});

describe('what is named twice is read once', () => {
  const folder = folderOf({
    'inner/a.json': child,
    'link.json': '->inner/a.json',
    linked: '->inner',
    'note.md': 'none',
  });
  const [file, link] = [join(folder, 'inner/a.json'), join(folder, 'link.json')];
  test.each([
    ['the same file', [file, file]],
    ['a link', [file, link]],
    ['only the link', [link, link]],
    ['its directory', [file, folder]],
    ['its directory first', [folder, file]],
    ['two directories', [join(folder, 'inner'), folder]],
    ['a link to a directory', [join(folder, 'linked'), join(folder, 'inner')]],
    ['a path with dots', [file, join(folder, 'inner/../inner/./a.json')]],
  ])('%s', (_, paths) => {
    const { resources, coverage } = readPlanned(paths);
    expect(resources).toHaveLength(1);
    expect(coverage).toMatchObject({ files: 1, seen: 1, understood: 1 });
  });
  test('of a directory that is named twice, what is passed over counts once', () => {
    expect(readPlanned([folder, folder]).coverage.passedOver).toEqual(
      readPlanned([folder]).coverage.passedOver,
    );
  });
  test('the template of a CDK app, named with the app', () => {
    const app = folderOf({ 'manifest.json': manifestOf('own.json'), 'own.json': parentOf() });
    expect(addresses(app, join(app, 'own.json'))).toEqual(['Orders/Own']);
    expect(addresses(app, app)).toEqual(['Orders/Own']);
  });
  test('a file that is named is refused where it cannot be read, also with its directory', () => {
    const broken = folderOf({ 'a.json': '' });
    expect(() => readPlanned([broken, join(broken, 'a.json')])).toThrow(BadInput);
  });
  test('six stacks of one template are six, and each has its own parameters', () => {
    const sized = {
      Parameters: { Size: { Type: 'Number', Default: 1 } },
      Resources: { Inner: { ...volume, Properties: { Size: { Ref: 'Size' } } } },
    };
    const stacks = [10, 20, 30, 40, 50, 60].map((Size) => [
      `S${Size}`,
      { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: 'child.json', Parameters: { Size } } },
    ]);
    const nest = folderOf({
      'parent.json': { Resources: Object.fromEntries(stacks) },
      'child.json': sized,
    });
    const sizes = readPlanned([nest]).resources.map((one) => one.kind === 'volume' && one.asked.sizeGiB);
    expect(sizes).toEqual([10, 20, 30, 40, 50, 60].map((value) => ({ known: true, value })));
  });
});

describe('braces and brackets', () => {
  const claim = (name: string) =>
    `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ${name}}, spec: {resources: {requests: {storage: 10Gi}}}}`;
  test('YAML in flow style is read where its name says that it is YAML', () => {
    const text = `${claim('a')}\n---\n${claim('b')}\n`;
    const folder = folderOf({ 'flow.yaml': text, 'flow.yml': claim('c'), 'flow.json': claim('d') });
    expect(addresses(join(folder, 'flow.yaml'))).toEqual([
      'PersistentVolumeClaim/a',
      'PersistentVolumeClaim/b',
    ]);
    expect(addresses(join(folder, 'flow.yml'))).toEqual(['PersistentVolumeClaim/c']);
    expect(() => readPlanned([join(folder, 'flow.json')])).toThrow('not whole JSON');
  });
  test('a list is nothing that was planned: refused where it is named, passed over below a directory', () => {
    const folder = folderOf({ 'list.json': [child] });
    expect(() => readPlanned([join(folder, 'list.json')])).toThrow('it is a list or a single value');
    expect(readPlanned([folder]).coverage).toMatchObject({
      files: 0,
      passedOver: [{ ending: '.json', count: 1 }],
    });
  });
});
