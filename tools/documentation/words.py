"""The words of the site that no page contains, in both languages."""

SECTIONS = ("guide", "tutorials", "recipes", "api", "benchmarks", "design", "more", "repository")
WORDS = {
    "en": {
        "home": "Home", "guide": "Guide", "tutorials": "Tutorials", "recipes": "Recipes", "api": "API", "design": "Design",
        "benchmarks": "Benchmarks", "more": "More", "repository": "Files", "untranslated": "",
        "args": "Args", "inputs": "Inputs", "returns": "Returns", "raises": "Raises", "examples": "Examples",
        "aliases": "Other spellings", "old_arguments": "Older names of arguments", "primitive": "As a Primitive", "method": "As a Tensor method",
        "function": "As a function", "devices": "Devices", "gradient": "Gradient", "real": "In MindSpore's documentation", "yes": "yes, of every order",
        "no": "none", "by_operators": "through its operators", "values": "Values", "dtypes": "mindspore: dtypes", "old_names": "Other spellings", "old": "spelling", "current": "shown as",
        "old_intro": "Names of older versions and second names, with the entry that explains them. All of them work.", "printed": "dtype", "same": "same as", "overview": "API reference", "names": "names", "all_devices": "CPU, GPU, TPU", "members": "Members",
        "intro": "Generated from the declarations. Every page shows signatures, arguments, results, errors and examples with what they print. The types of "
                 "arguments, defaults and refusals are those that the code checks.",
        "package": "package", "page": "page", "eager": "its result has a size that depends on values: it runs eagerly, and graphs say what to use instead",
    },
    "zh": {
        "home": "首页", "guide": "指南", "tutorials": "教程", "recipes": "示例", "api": "API", "design": "设计",
        "benchmarks": "性能", "more": "更多", "repository": "文件", "untranslated": "本页暂无中文版,以下为英文原文。",
        "args": "参数", "inputs": "输入", "returns": "返回", "raises": "异常", "examples": "样例",
        "aliases": "其他写法", "old_arguments": "参数旧名", "primitive": "Primitive 形式", "method": "Tensor 方法",
        "function": "函数形式", "devices": "设备", "gradient": "梯度", "real": "MindSpore 官方文档", "yes": "有,支持任意阶",
        "no": "无", "by_operators": "由所用算子提供", "values": "取值", "dtypes": "mindspore：数据类型", "old_names": "旧名称与别名", "old": "写法", "current": "说明见",
        "old_intro": "旧版本的名称和别名，以及解释它们的条目。这些写法全部可用。", "printed": "数据类型", "same": "等同于", "overview": "API 参考", "names": "个名称", "all_devices": "CPU、GPU、TPU", "members": "成员",
        "intro": "由算子声明自动生成。每页列出签名、参数、返回值、异常以及带输出的样例;参数类型、默认值与报错均与代码中的检查一致。各条目的概述为英文，由声明生成的说明为中文。",
        "package": "模块", "page": "页面", "eager": "结果大小取决于数值:以动态图方式执行,静态图中会提示替代写法",
    },
}  # fmt: skip
ROOMS = {  # of operators, in Chinese
    "array": "数组", "attention": "注意力", "compat": "兼容", "distributed": "分布式", "effects": "状态与输出", "functional": "函数式", "image": "图像",
    "linalg": "线性代数", "math": "数学", "methods": "Tensor 方法", "nn": "神经网络", "optimizer": "优化器", "random": "随机数", "reduction": "归约",
    "sparse": "稀疏", "transforms": "梯度与变换",
}  # fmt: skip
