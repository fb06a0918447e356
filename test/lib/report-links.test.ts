/** The endpoint that opens reports: who may call it, what signs its links, and that there is none where nobody wants it. */
import { patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let stack: Synthesized;
let without: Synthesized;
let other: Synthesized;
beforeAll(async () => {
  stack = await synthesized('linked');
  without = await synthesized('usual');
  other = await synthesized('otherValues');
}, patience);

const outputsOf = ({ json }: Synthesized): string[] => Object.keys(json['Outputs'] as object);
const variablesOf = (which: Synthesized): Record<string, unknown> => {
  const { Environment } = which.one('AWS::Lambda::Function', 'NotificationsNotifyFindings').Properties;
  return (Environment as { Variables: Record<string, unknown> }).Variables;
};

test('anybody may call the function by its address, and no other way', () => {
  const { id, Properties } = stack.one('AWS::Lambda::Url', 'LinksOpenReport');
  expect(Properties).toMatchObject({ AuthType: 'NONE' });
  expect(shortly(Properties['TargetFunctionArn'])).toBe('LinksOpenReportFunction');
  const permissions = stack
    .all('AWS::Lambda::Permission')
    .map(([, { Properties: allowed }]) => allowed)
    .filter(({ FunctionName }) => shortly(FunctionName) === 'LinksOpenReportFunction');
  // AWS asks for both since October 2025; the second one holds for calls by the address alone.
  expect(permissions).toMatchObject([
    { Principal: '*', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
    { Principal: '*', Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true },
  ]);
  expect(variablesOf(stack)['REPORT_URL']).toEqual({ 'Fn::GetAtt': [id, 'FunctionUrl'] });
});

test('no other function can be called by anybody', () => {
  expect(stack.all('AWS::Lambda::Url')).toHaveLength(1);
  const byAnybody = stack
    .all('AWS::Lambda::Permission')
    .filter(([, { Properties }]) => Properties['Principal'] === '*')
    .map(([, { Properties }]) => shortly(Properties['FunctionName']));
  expect(new Set(byAnybody)).toEqual(new Set(['LinksOpenReportFunction']));
});

test('it is cheap to call in vain: little memory, seconds', () => {
  const { Properties } = stack.one('AWS::Lambda::Function', 'LinksOpenReport');
  expect(Properties).toMatchObject({ MemorySize: 256, Timeout: 10 });
});

test('the key is made by AWS, 64 characters, and a later deployment leaves it', () => {
  const { Properties } = stack.one('AWS::SecretsManager::Secret', 'LinksKey');
  expect(Properties['GenerateSecretString']).toEqual({ PasswordLength: 64, ExcludePunctuation: true });
  expect(Properties).not.toHaveProperty('SecretString');
  // CloudFormation makes another where this property is another: no configuration changes it.
  expect(other.one('AWS::SecretsManager::Secret', 'LinksKey').Properties).toEqual(Properties);
});

test('the notify function knows the address, the key and for how long a link is good', () => {
  expect(variablesOf(stack)).toMatchObject({ LINK_DAYS: '30' });
  expect(variablesOf(other)).toMatchObject({ LINK_DAYS: '7' });
  expect(shortly(variablesOf(stack)['LINK_KEY_SECRET_ARN'])).toBe('LinksKey');
  expect(outputsOf(stack)).toEqual(expect.arrayContaining(['ReportLinks', 'ReportLinkKey']));
});

/** Of an organisation that forbids public addresses nothing of the default may ask for one. */
test('by default nothing has a public address: no Function URL, nothing that everybody may call', () => {
  expect(without.all('AWS::Lambda::Url')).toEqual([]);
  const callers = without.all('AWS::Lambda::Permission').map(([, { Properties }]) => Properties['Principal']);
  expect(callers.filter((caller) => caller === '*')).toEqual([]);
  expect(JSON.stringify(without.json)).not.toMatch(/FunctionUrl|AuthType/);
});

test('without links there is nothing of it, and the notify function knows no address', () => {
  expect(Object.keys(without.json.Resources).filter((id) => id.startsWith('Links'))).toEqual([]);
  expect(outputsOf(without).filter((name) => name.startsWith('Report'))).toEqual([]);
  expect(variablesOf(without)).toMatchObject({ REPORT_URL: '', LINK_KEY_SECRET_ARN: '' });
  expect(JSON.stringify(without.statementsOf(roleOfNotifying()))).not.toContain('LinksKey');
});

function roleOfNotifying(): string {
  return without.one('AWS::IAM::Role', 'NotificationsNotifyFindings').id;
}
