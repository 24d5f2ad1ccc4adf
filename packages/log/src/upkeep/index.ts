export { copyToChain } from "./copy-to-chain.ts";
export {
  copyChainToFile,
  copyFileToFile,
  type CopiedFile,
  type CopyToFileOptions,
} from "./copy-to-file.ts";
export { CopyFile } from "./copy-file.ts";
export { recognize } from "../sqlite/log-file.ts";
export { openLogRows, type LogRows } from "./log-rows.ts";
export { planRepair, repairChain } from "./repair-chain.ts";
export { verifyChain } from "./verify-chain.ts";
export { verifyFile } from "./verify-file.ts";
