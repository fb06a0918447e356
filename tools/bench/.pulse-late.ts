import { pulseFleet } from './pulse-fleet.ts';
import { truthOf } from './pulse-truth.ts';
import { runPulse } from './pulse-run.ts';
import { scoreOf } from './pulse-score.ts';
import { minutes } from './two-pass-series.ts';
const q=(a:number[],p:number)=>{const s=[...a].sort((x,y)=>x-y);return s[Math.min(s.length-1,Math.floor(p*s.length))]};
for (const seed of process.argv.slice(2).map(Number)){
const fleet=pulseFleet(seed).filter(f=>f.group!=='usual');
const t=Date.now();
const run=runPulse(fleet,{everyMinutes:1,budget:null,lastMinute:minutes});
const g:Record<string,any>={};const all:number[]=[];const rows:string[]=[];
for(const f of fleet){const tr=truthOf(f,60);const told=run.told.get(f.volume.volumeId)??[];
 for(const th of tr.throttlings){const s=scoreOf({...tr,exhaustions:[],throttlings:[th]},told,null);for(const d of s.delays){all.push(d);const x=g[f.group]??={n:0,late:0};x.n++;if(d>300){x.late++;rows.push([f.group,f.volume.volumeId.slice(-5),f.volume.volumeType,f.checks.length,d,th.firstMinute,th.tellingMinute,[...f.history.published.slice(th.firstMinute,th.tellingMinute+1)]].join(' '));}}}}
console.log(seed,((Date.now()-t)/1000).toFixed(0)+'s',q(all,.95),(all.filter(d=>d<=300).length/all.length).toFixed(3),run.metrics);console.table(g);console.log(rows.join('\n'));
}
