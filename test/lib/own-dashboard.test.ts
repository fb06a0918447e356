/** The dashboard of the service itself: what it costs, how it is, and nothing of what is not there. */
import { type ServiceMetric, serviceMetrics } from '../../core/service-metrics.ts';
import { patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

interface Widget {
  type: string;
  x: number;
  y: number;
  width: number;
  height: number;
  properties: {
    title?: string;
    markdown?: string;
    metrics?: unknown[][];
    annotations?: { horizontal: { value: number; label: string }[] };
  };
}

let stack: Synthesized;
let bounded: Synthesized;
let unbounded: Synthesized;
beforeAll(async () => {
  stack = await synthesized('usual');
  bounded = await synthesized('everyChannel');
  unbounded = await synthesized('least');
}, patience);

const dashboardType = 'AWS::CloudWatch::Dashboard';
/** The text of the body, references in short. */
function bodyText(of: Synthesized): string {
  const body = of.one(dashboardType, 'Itself').Properties['DashboardBody'] as {
    'Fn::Join': [string, unknown[]];
  };
  return body['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : shortly(part))).join('');
}
const widgetsOf = (of: Synthesized): Widget[] => (JSON.parse(bodyText(of)) as { widgets: Widget[] }).widgets;
const titled = (of: Synthesized, begins: string): Widget => {
  const found = widgetsOf(of).find(({ properties }) => properties.title?.startsWith(begins));
  if (found === undefined) throw new Error(`no widget begins with ${begins}`);
  return found;
};

test('every dashboard is named by stack and Region: an account has one list of dashboards for all Regions', () => {
  const names = stack.all(dashboardType).map(([, { Properties }]) => shortly(Properties['DashboardName']));
  expect(names.sort()).toEqual([
    'AWS::StackName-AWS::Region-itself',
    'AWS::StackName-AWS::Region-volumes-at-risk',
  ]);
});

/** Figures of a run, which its report has, and of digests: they are for charts of one's own; what was skipped has an alarm. */
const withoutWidget: readonly ServiceMetric[] = [
  'volumesEvaluated',
  'volumesUnknown',
  'findings',
  'metricsRequested',
  'digestsSent',
  'recordsSkipped',
  // Each tick has a line of its log; a widget would be empty for who has one account.
  'monitoringAccountsRefused',
  // By Region: the next test.
  'publicationSeconds',
];

test('shows what the functions publish of themselves, by the name and dimension that they publish with', () => {
  const { namespace, service, ...metrics } = serviceMetrics;
  const text = bodyText(stack);
  const notShown = Object.entries(metrics)
    .filter(([, name]) => !text.includes(`["${namespace}","${name}","service","${service}"`))
    .map(([key]) => key);
  expect(notShown).toEqual(withoutWidget);
});

test('how late CloudWatch is stands there for each Region, whichever there are', () => {
  const { namespace, publicationSeconds } = serviceMetrics;
  expect(bodyText(stack)).toContain(`{${namespace},service,Region} MetricName=\\"${publicationSeconds}\\"`);
});

test('what the functions cost is their time by their memory', () => {
  const { properties } = titled(stack, 'What it costs a day');
  const text = JSON.stringify(properties.metrics);
  const durations = text.match(/"Duration","FunctionName","\w+"/g) ?? [];
  expect(durations).toHaveLength(7);
  // 512 MiB are half a GiB, and a duration is in milliseconds: 0.5 / 1,000.
  expect(text).toMatch(/FILL\(m\d, 0\) \* 0\.0005( |\))/);
  expect(text).toContain('* 0.0000133334');
  expect(text).toContain('metrics * 0.00001');
});

test('functions that are there are there, under their names', () => {
  const named = (of: Synthesized) =>
    [
      ...JSON.stringify(titled(of, 'Errors of functions').properties.metrics).matchAll(/"label":"([\w-]+)"/g),
    ].map(([, label]) => label);
  const always = [
    'evaluate-batch',
    'collect-findings',
    'write-report',
    'notify-findings',
    'deliver-messages',
  ];
  expect(named(stack)).toEqual([...always, 'notify-digest', 'watch-volumes']);
  expect(named(bounded)).toEqual(always);
});

test('the budget is a line in the chart of what was spent, where there is one', () => {
  const spent = (of: Synthesized) => titled(of, 'Reading metrics since').properties.annotations?.horizontal;
  expect(spent(bounded)).toMatchObject([{ value: 20, label: 'budget' }]);
  expect(spent(stack)).toMatchObject([{ value: 50, label: 'budget' }]);
  expect(spent(unbounded) ?? []).toEqual([]);
  const head = (of: Synthesized) => widgetsOf(of)[0]?.properties.markdown;
  expect(head(bounded)).toContain('the budget is 20 USD');
  expect(head(stack)).toContain('the budget is 50 USD');
  expect(head(unbounded)).not.toContain('the budget');
});

test('messages on their way and those that were not delivered are those of the two queues', () => {
  const text = JSON.stringify(titled(stack, 'Messages on their way').properties.metrics);
  expect(text).toMatch(/"QueueName","NotificationsDeliveryQueue"/);
  expect(text).toMatch(/"QueueName","NotificationsDeliveryDeadLetters"/);
});

test('widgets are in a grid of 24 columns, and none lies on another', () => {
  const widgets = widgetsOf(stack);
  for (const one of widgets) {
    expect(one.x + one.width).toBeLessThanOrEqual(24);
    const overlaps = widgets.filter(
      (other) =>
        other !== one &&
        one.x < other.x + other.width &&
        other.x < one.x + one.width &&
        one.y < other.y + other.height &&
        other.y < one.y + one.height,
    );
    expect(overlaps).toEqual([]);
  }
});
