/** Dashboards of the local CloudWatch, through the AWS SDK. */
import {
  DashboardInvalidInputError,
  DeleteDashboardsCommand,
  GetDashboardCommand,
  ListDashboardsCommand,
  PutDashboardCommand,
} from '@aws-sdk/client-cloudwatch';
import { cloudWatchFixture } from './cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const body = JSON.stringify({ widgets: [{ type: 'text', width: 24, properties: { markdown: 'hello' } }] });

const put = (DashboardName: string, DashboardBody = body) =>
  fixture.client().send(new PutDashboardCommand({ DashboardName, DashboardBody }));

test('a dashboard is kept, listed and deleted', async () => {
  expect((await put('fleet')).DashboardValidationMessages).toEqual([]);
  await put('other');
  const client = fixture.client();
  expect(await client.send(new GetDashboardCommand({ DashboardName: 'fleet' }))).toMatchObject({
    DashboardArn: 'arn:aws:cloudwatch::111122223333:dashboard/fleet',
    DashboardBody: body,
  });
  const { DashboardEntries } = await client.send(new ListDashboardsCommand({ DashboardNamePrefix: 'fl' }));
  expect(DashboardEntries).toMatchObject([{ DashboardName: 'fleet', Size: body.length }]);
  expect(DashboardEntries?.[0]?.LastModified).toBeInstanceOf(Date);
  await client.send(new DeleteDashboardsCommand({ DashboardNames: ['fleet'] }));
  await expect(client.send(new GetDashboardCommand({ DashboardName: 'fleet' }))).rejects.toMatchObject({
    name: 'DashboardNotFoundError',
    $metadata: { httpStatusCode: 404 },
  });
});

test('nothing is deleted when one of the names does not exist', async () => {
  await put('fleet');
  const remove = new DeleteDashboardsCommand({ DashboardNames: ['fleet', 'none'] });
  await expect(fixture.client().send(remove)).rejects.toMatchObject({ name: 'DashboardNotFoundError' });
  expect(await fixture.send('GET', 'dashboards')).toMatchObject({ dashboards: [{ name: 'fleet', body }] });
});

test('an account has one dashboard of a name, whatever the Region: the later one overwrites it', async () => {
  await put('fleet');
  const elsewhere = fixture.client({ region: 'eu-west-1' });
  const later = JSON.stringify({ widgets: [] });
  await elsewhere.send(new PutDashboardCommand({ DashboardName: 'fleet', DashboardBody: later }));
  const here = await fixture.client().send(new GetDashboardCommand({ DashboardName: 'fleet' }));
  expect(here.DashboardBody).toBe(later);
});

test.each([
  ['text that is not JSON', 'hello', []],
  ['no widgets', '{}', ['/widgets']],
  ['a widget of no known type', '{"widgets":[{"type":"graph","properties":{}}]}', ['/widgets/0/type']],
  ['a widget without properties', '{"widgets":[{"type":"text"}]}', ['/widgets/0/properties']],
  [
    'a widget wider than the grid',
    '{"widgets":[{"type":"text","width":25,"properties":{}}]}',
    ['/widgets/0/width'],
  ],
])('%s is refused, with where', async (_, text, paths) => {
  const error = await put('fleet', text).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(DashboardInvalidInputError);
  const { dashboardValidationMessages = [] } = error as DashboardInvalidInputError;
  expect(dashboardValidationMessages.map(({ DataPath }) => DataPath)).toEqual(paths);
});

test('a name with a space is refused', async () => {
  await expect(put('my fleet')).rejects.toMatchObject({ name: 'DashboardInvalidInputError' });
});
