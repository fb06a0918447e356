/**
 * The words of this project, and those that they replaced: what tools/lint-words.ts looks for. Issues and notes from before
 * 2026-11-25 have the old names: look them up here.
 */

/** A word that is not used any more, as a pattern, and what stands for it. */
export interface Replaced {
  /** Matched without regard to case, between two ends of words. */
  old: string;
  use: string;
}

/** Not in any file of the project: names in the code, configuration, comments, texts and documents. */
export const nowhere: readonly Replaced[] = [
  { old: 'held.?back\\w*|holds?.?back', use: 'throttled, throttling' },
  { old: 'who tells', use: 'the notify function' },
  {
    old: 'tell-?findings|tell-?digest|toldAt|ToldFinding',
    use: 'notify-findings, notify-digest, notifiedAt',
  },
  { old: 'worst ?24 ?h|\\w*Worst24h', use: 'peak 24 h' },
  { old: 'judg(e|es|ed|ing|ement)', use: 'evaluate, evaluation' },
  { old: 'judge(-\\w+)+|judgeBatch|JudgeBatch', use: 'evaluate-batch' },
  { old: 'verdicts?', use: 'status, evaluation' },
  { old: 'pulses?', use: 'monitoring, a poll' },
  { old: 'sightings?', use: 'observation' },
  { old: 'advisor(y|ies)', use: 'notification' },
  { old: 'inert', use: 'sanitize, escape' },
  { old: 'hostile', use: 'untrusted' },
  { old: 'mend(s|ed|ing)?', use: 'patch, fix' },
  { old: 'janitor|sweep-?leftovers', use: 'cleanup, clean-up-orphans' },
  { old: 'leftovers', use: 'orphaned resources' },
  { old: 'taken away', use: 'removed' },
  { old: 'catalogues?', use: 'catalog' },
  { old: 'refresh-?market|stored-?market', use: 'refresh-catalog, stored-catalog' },
  { old: 'reportcard', use: 'report-card' },
  { old: 'busy.?rates?|busyIops', use: 'active-time rate, activeTimeIops' },
  { old: 'known truth', use: 'ground truth' },
  { old: 'bad days?', use: 'incident, resilience tests' },
  { old: 'first things', use: 'top recommendations' },
  { old: 'leastSeverity', use: 'minSeverity' },
  { old: 'mostPerHour', use: 'maxMessagesPerHour' },
  { old: 'mostUsd', use: 'maxCostUsd' },
  { old: 'rememberDays', use: 'retentionDays' },
  { old: 'exceptCritical', use: 'allowCritical' },
  { old: 'askHosts|--ask-hosts', use: 'hostDiscovery, --host-discovery' },
  { old: 'findingsOnDestroy', use: 'removalPolicy' },
  { old: '--present', use: '--current' },
  { old: 'but sooner', use: 'served late (queued)' },
];

/** Not in README.md, docs/ and the texts that people see. */
export const notShown: readonly Replaced[] = [
  { old: 'told|tells?|telling', use: 'notify, sent to; say, show' },
  { old: 'advice|advis(e|es|ed)', use: 'recommendation, recommend' },
  { old: 'what it wants|what was wanted', use: 'demand' },
  { old: 'by harm|by money', use: 'performance impact, savings' },
  { old: 'by replay', use: 'simulated' },
];

const patternOf = ({ old }: Replaced): RegExp =>
  new RegExp(`(?<![A-Za-z0-9])(?:${old})(?![A-Za-z0-9])`, 'gi');

/** The words of a line that another one replaced. */
export const replacedIn = (line: string, words: readonly Replaced[]): { word: string; use: string }[] =>
  words.flatMap((one) => [...line.matchAll(patternOf(one))].map(([word]) => ({ word, use: one.use })));

/** Files that may have a word, each with the reason. */
export const allowed: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'says what the old names are now',
  'test/tools/words.test.ts': 'shows what the guard finds',
  'tools/vocabulary.ts': 'this list',
};

/**
 * How names changed: each run of words, wherever it stood in an identifier, a file or a code, in whatever form
 * (heldBackMinutesWorst24h, held-back, TELL_FUNCTION_ARN).
 */
export const renamed = `
a market = a region catalog, a sighting = an observation, a verdict = an evaluation, advice = recommendation,
advise = recommend, advised = recommended, advises = recommends, advisories = notifications, advisory = notification,
advisory tell digest = notifications notify digest, advisory tell findings = notifications notify findings,
an advice = a recommendation, an advisory = a notification, ask existing = read existing, ask hosts = host discovery,
ask wanted = read desired, bad day = incident, because = reason, bench janitor = bench cleanup,
benchmark janitor = benchmark cleanup, busy io = active time io, busy iops = active time iops,
busy mibps = active time mibps, busy rate = active time rate, busy seconds = active seconds, by harm = by impact,
cached market = cached catalog, cached stored market = cached stored catalog, catalogue = catalog,
channel memory = channel state, except critical = allow critical, find leftovers = find orphans,
findings on destroy = removal policy, first advice = top recommendation, first things = top recommendations, harm = impact,
held back = throttled, held back cause = throttling cause, held back causes = throttling causes,
held back minutes worst = throttled minutes peak, held by = throttled by, hold back = throttle,
hold nothing back = throttle nothing, hold one back = throttle one, holding back = throttling, hostile = untrusted,
inert = sanitize, janitor = cleanup, judge = evaluate, judged = evaluated, judgement = evaluation, judges = evaluates,
judging = evaluating, known truth = ground truth, least severity = min severity, left overs = orphans, leftover = orphan,
leftovers = orphans, life = lifecycle, look and tell = poll and notify, market = region catalog, markets = region catalogs,
mend = patch, mended = patched, mends = patches, messages not delivered = dead letters,
most per hour = max messages per hour, most usd = max cost usd, not advised = not recommended, not delivered = dead letter,
over or better = resolved or better, present = current, pulse = monitoring, refresh market = refresh catalog,
remember days = retention days, reportcard = report card, see sightings = store observations, sighting = observation,
sightings = observations, stored market = stored catalog, sweep leftovers = clean up orphans, tell = notify,
tell digest = notify digest, tell findings = notify findings, tell from = notify from, teller = notifier,
telling = notifying, telling fails = notifying fails, telling missing = notifying missing, tells = notifies,
the janitor = the cleanup, to tell = to notify, told = notified, told to = notified to, untold = unnotified,
verdict = status, verdicts = statuses, volume verdict = volume evaluation, volume verdicts = volume evaluations,
wanted = demand, wanted guest = desired guest, wanted guests = desired guests, wanted ids = desired ids,
wanted tags = tag filter, worst 24h = peak 24h, worst clock hour = peak clock hour, worst day = peak day,
worst hour = peak hour, worst hours = peak hours, worst24h = peak24h
`;

/** Names that do not follow from the words. */
export const renamedAlone = `
NotificationsDeliveryNotDelivered = NotificationsDeliveryDeadLetters, AdvisoryTold = NotificationsFindings,
BenchmarkCleanupSweepLeftovers = BenchmarkCleanupCleanUpOrphans, DigestTold = DigestOutcome, DigestsTold = DigestsSent,
FleetJudge = FleetEvaluator, HeldBackKind = ThrottlingKind, InstanceToAdvise = InstanceToRecommendFor,
JudgeContext = EvaluationContext, JudgeEach = EvaluateEach, JudgeRequest = EvaluationRequest,
JudgedTogether = EvaluatedTogether, Known-truth = Ground-truth, MessagesNotDelivered = DeadLetters,
NotDelivered = DeadLetters, NotDeliveredQueue = DeadLetterQueue, RefusedBecause = RefusedReason, TellEnv = NotifyEnv,
TellWith = NotifyWith, TellingBy = NotificationRules, TellingFails = NotificationsFail,
TellingMissing = NotificationsMissing, TellingOptions = NotificationOptions, ToldAsOne = FoundAsOne, ToldHost = ReportedHost,
WantedAt = DemandAt, _told = _notified, aboutBeingHeldBack = aboutThrottling, advice-for-all = recommendation-for-all,
advice-view = recommendation-view, adviceForAll = recommendationForAll, advisedLayout = recommendedBenchLayout,
advisory-event = notification-event, advisory-notifications = finding-notifications, afterToldOfDay = afterNotifiedOfDay,
asFilesTellIt = asFilesShowIt, asTold = asReported, audit-verdicts = audit-evaluations,
balanceSecondsWhenTold = balanceSecondsWhenReported, builtInCatalogue = builtInCatalog,
burstsNotToldBecause = burstsUnknownReason, burstsTold = burstsMeasured, busyIo = activeTimeIo,
catalogue-eu-central-1 = catalog-eu-central-1, clearlyWanted = clearlyDemanded, comingWanted = comingDemand,
creditsToldSeconds = creditsReportedSeconds, digestsTold = digestsSent, drawnVerdicts = drawnStatuses,
findingsTold = findingsNotified, heldBackBy = throttledMinutesBy, heldBackKinds = throttlingKinds,
hold-nothing-back = throttle-nothing, holdBack = throttleAt, holdOneBack = throttleOne, hostile-text = untrusted-text,
inert-markdown = escape-markdown, inertJson = sanitizeJson, inertMarkdown = escapeMarkdown,
isHeldBackLookedFor = isThrottlingLookedFor, isStepTold = isNextTypeNamed, isToldAnyway = isReportedAnyway,
isToldApart = isDistinct, isToldStill = isStillReported, isToldYet = isReportedYet, janitorIn = cleanupIn,
judge-outcome = evaluation-outcome, judge-request = evaluation-request, judgeHeldBack = evaluateThrottled,
judgedBothWays = evaluatedBothWays, judgingOf = evaluationOf, leastMoreWanted = minDemandRatio,
lookAndTell = observeAndNotify, medianLatencyMsHeldBack = medianLatencyMsThrottled, messages-not-delivered = dead-letters,
minutesHeldBack = throttledMinutesOf, mostTelling = mostNotifying, mostTold = mostUrgentNotified,
mostToldEach = maxNoticesEach, mostToldOf = mostUrgentNotifiedOf, nextTelling = nextNotification, notDelivered = deadLetters,
noteTold = noteSent, nothing-to-tell = nothing-to-send, ofJudge = ofEvaluation, ofPulse = ofMonitoring,
ofTelling = ofNotifications, proofsTold = validationsNotified, pulseUnread = monitoringUnread,
raid5-advised-against = raid5-not-recommended, roleOfTelling = roleOfNotifying, rowsOfTelling = rowsOfNotifying,
setup-advice = benchmark-setup, sweepLeftovers = cleanUpOrphans, tell-later = notify-later, tell_every = say_every,
tell_next = say_next, telling-fails = notifications-fail, telling-missing = notifications-missing,
tellingMinute = notifyingMinute, tellsOfEnds = notifiesOfEnds, tellsOfHoldingBack = saysThrottling,
test-hostile = test-untrusted, the-janitor-fails = cleanup-fails, the-janitor-is-missing = cleanup-is-missing,
the-pulse = the-monitoring, throughputNotJudgedBecause = throughputNotEvaluatedReason, told-apart = distinct,
told-before = sent-before, told-in-channels = sent-to-channels, told-once = notified-once, toldAsOne = foundAsOne,
toldAtLength = notifiedAtLength, toldFromUsd = reportedFromUsd, toldHost = reportedHost, toldInAll = notifiedInAll,
toldName = channelName, toldNothing = notifiedNothing, toldSeconds = reportedSeconds, untoldSeconds = unreportedSeconds,
usdOfAdvice = usdOfRecommendation, verdictOf = evaluationOf, verdictOn = evaluationOn, verdictsOf = evaluationsOf,
wanted-of-instance = demand-of-instance, StillToSay = PendingDelivery, still-to-say = pending-delivery, SaidBefore = DeliveryLog,
proved = validated (a change), onlyText = selectedText, terminal/only = terminal/selected, letsThrough = matchesRoute, mayTakeOver = canReclaim, Leaning = FallbackEvidence, Surroundings = SavingsContext,
Obeyed = ActionResult, GoneOn = ResumeResult, Ability = ReadCapacity, laidMiB = prefillMiB, layMiBpsOf = prefillMiBpsOf,
Obstacle = InfeasibleReason, onTheWall = toLocalSeconds, Advising = PricesOf, Sight = SourceState, sights = sourceStates,
NotificationsRetell = NotificationsNotifyPending, most... of a bound = max..., least... and fewest... of a bound = min..., wantedAt = demandAt, wantedFor = demandFor, wantedSeries = demandByPeriod
`;

/** Folders and files that moved for another reason than a word in their name. */
export const moved: Readonly<Record<string, string>> = {
  'core/advice': 'core/recommendations',
  'core/advisory': 'core/lifecycle',
  'core/catalogue/market': 'core/catalog/region-catalog',
  'core/inert': 'core/sanitize',
  'core/pulse': 'core/monitoring',
  'core/reportcard': 'core/report-card',
  'lambdas/shared/edge': 'lambdas/shared/create-handler',
  'lib/advisory': 'lib/notifications',
  'lib/pulse': 'lib/monitoring',
  'local/ministack/mends': 'local/ministack/patches',
  'test/faults': 'test/resilience',
  'test/hostile': 'test/untrusted',
};
