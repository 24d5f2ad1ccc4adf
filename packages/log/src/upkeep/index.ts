export { copyToChain } from "./copy-to-chain.ts";
export { copyChainToFile, copyFileToFile } from "./copy-to-file.ts";
export { CopyFile } from "./copy-file.ts";
export { openLogRows } from "./log-rows.ts";
export { planRepair, repairChain } from "./repair-chain.ts";
export { verifyChain } from "./verify-chain.ts";
export { verifyFile } from "./verify-file.ts";
