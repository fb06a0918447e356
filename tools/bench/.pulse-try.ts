import { pulseFleet } from './pulse-fleet.ts';
import { truthOf } from './pulse-truth.ts';
import { runPulse } from './pulse.ts';
import { writeFileSync } from 'node:fs';
let t=Date.now();
const lap=(s:string)=>{console.log(s,((Date.now()-t)/1000).toFixed(1),'s',Math.round(process.memoryUsage().rss/2**20),'MiB');t=Date.now();};
const fleet=pulseFleet(Number(process.argv[2]??1)); lap('fleet '+fleet.length);
const truth=fleet.map((f)=>truthOf(f,60)); lap('truth');
const run=runPulse(fleet,{everyMinutes:1,budget:null}); lap('run');
const q=(a:number[],p:number)=>{const s=[...a].sort((x,y)=>x-y);return s[Math.min(s.length-1,Math.floor(p*s.length))]};
let base=0,lean=0;
const per: Record<string,any>={};
const isT=(k:string)=>k.startsWith('throttled');
const first:number[]=[],all:number[]=[],tell:number[]=[],cold:number[]=[];const slow:any[]=[];
let missed=0,nowarn=0,could=0,exh=0,untold=0;const bad:any[]=[];
fleet.forEach((f,i)=>{
  const id=f.volume.volumeId;const m=run.metricsOfVolume.get(id)??0;const n=run.everAsked.get(id)?.size??0;base+=n*4032;lean+=((f.checks.length?2:5)+(f.history.balance?1:0))*4032;
  const x=per[f.group]??={n:0,metricsDay:0,baseDay:0,exh:0,could:0,nowarn:0,missed:0,thrNear:0,first:0,late:0,untold:0};
  x.n++;x.metricsDay+=m/14;x.baseDay+=n*288;
  const told=run.told.get(id)??[];const u=truth[i]!;
  for(const e of u.exhaustions){exh++;x.exh++;const s=(e.firstMinute+1)*60;
    const toldEx=told.some(({at,kind,severity})=>severity!==null&&kind==='credits-exhausted'&&at>=e.firstMinute*60&&at<=Math.max((e.lastMinute+1)*60,s+300)) || false;
    const openEx=[...told].filter(({at,kind,severity})=>at<=s&&severity!==null&&kind==='credits-exhausted').at(-1);
    const warn=told.filter(({at,kind,severity})=>severity!==null&&kind==='credits-will-exhaust'&&at<=s&&at>=s-7200);
    if(!toldEx&&warn.length===0&&!(openEx&&s-openEx.at<86400)){missed++;x.missed++;bad.push(['missed',f.group,id,e,f.volume.volumeType,f.volume.sizeGiB])}
    if(e.couldWarnAtSeconds!==null){could++;x.could++; if(warn.length===0){nowarn++;x.nowarn++;bad.push(['nowarn',f.group,id,e,f.volume.volumeType,f.volume.sizeGiB])}}
  }
  for(const e of u.throttlings){ if(!e.wasNear)continue; x.thrNear++;
    const s=(e.firstMinute+1)*60; const next=told.find(({at,kind,severity})=>severity!==null&&isT(kind)&&at>(e.tellingMinute)*60&&at<s+6*3600);
    const d=next?next.at-s:1e6; if(!next){untold++;x.untold++;}
    all.push(d);tell.push(next?next.at-(e.tellingMinute+1)*60:1e6); if(e.isFirst){x.first++;first.push(d); if(d>300){x.late++;slow.push([f.group,id,d,e.firstMinute,e.tellingMinute,e.lastMinute])}} }
});
for(const k in per){const x=per[k];x.metricsDay=Math.round(x.metricsDay/x.n);x.baseDay=Math.round(x.baseDay/x.n);}
console.table(per);
console.log({metrics:run.metrics,looks:run.looks,calls:run.calls,sightings:run.sightings,share:run.metrics/base,lean:run.metrics/lean,largest:run.largestWatchBytes});
console.log(run.metricsOfPart);
console.log({exh,missed,could,nowarn,firstN:first.length,p50:q(first,.5),p90:q(first,.9),p95:q(first,.95),p99:q(first,.99),allN:all.length,all95:q(all,.95),tell95:q(tell,.95),untold});
console.log(bad.slice(0,30).map((b)=>JSON.stringify(b)).join('\n'));console.log(slow.slice(0,40).map((b)=>JSON.stringify(b)).join('\n'));
