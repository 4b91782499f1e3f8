import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config({ ignores: ["dist"] }, eslint.configs.recommended, {
  files: ["src/**/*.ts"],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
});
